/** Asks the server as an agent does. */
export async function ask(server: { baseUrl: string; key: string }, path: string): Promise<{ status: number; body: any }> {
  const response = await fetch(server.baseUrl + path, { headers: { Authorization: `Bearer ${server.key}` } });
  return { status: response.status, body: await response.json() };
}
