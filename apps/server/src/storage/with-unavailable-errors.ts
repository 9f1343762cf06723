import { DomainError } from "../domain-error.js";

/**
 * Wraps a store so that its methods reject with `unavailable` when the database cannot be had.
 * @param explain the error to reject with when what was thrown means that; undefined for any other failure
 */
export function withUnavailableErrors(explain: (error: unknown) => DomainError | undefined): <Store extends object>(store: Store) => Store {
  return <Store extends object>(store: Store) => {
    const wrapped = Object.entries(store).map(([name, method]: [string, (...input: unknown[]) => Promise<unknown>]) => [
      name,
      async (...input: unknown[]) => {
        try {
          return await method(...input);
        } catch (error) {
          // A domain error says better what is wrong, such as a search that ran out of time.
          throw error instanceof DomainError ? error : (explain(error) ?? error);
        }
      },
    ]);
    return Object.fromEntries(wrapped) as Store;
  };
}
