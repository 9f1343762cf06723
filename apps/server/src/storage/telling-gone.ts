import { DomainError } from "../domain-error.js";

/**
 * Makes methods whose rejections say `unavailable` when the database is gone.
 * @param gone the error to say it with, when what was thrown means that; undefined for any other failure
 */
export function tellingGone(gone: (error: unknown) => DomainError | undefined): <Methods extends object>(methods: Methods) => Methods {
  return <Methods extends object>(methods: Methods) => {
    const told = Object.entries(methods).map(([name, method]: [string, (...given: unknown[]) => Promise<unknown>]) => [
      name,
      async (...given: unknown[]) => {
        try {
          return await method(...given);
        } catch (error) {
          // What has been said already is said better: a search that ran out of its time is no database that is gone.
          throw error instanceof DomainError ? error : (gone(error) ?? error);
        }
      },
    ]);
    return Object.fromEntries(told) as Methods;
  };
}
