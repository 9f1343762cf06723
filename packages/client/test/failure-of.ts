/** What a call rejects with; undefined when it does not. */
export async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );
}
