/** What a request is made of. */
export interface RequestParts {
  method: string;
  path: string;
  port: number;
  key: string;
}

/** The whole request without a body. */
export function requestBytes(parts: RequestParts): Buffer {
  return Buffer.from(`${headOf(parts)}\r\n`);
}

/** The head of a request whose JSON body of `bodyBytes` follows. */
export function requestHead(parts: RequestParts, bodyBytes: number): Buffer {
  return Buffer.from(`${headOf(parts)}Content-Type: application/json\r\nContent-Length: ${bodyBytes}\r\n\r\n`);
}

function headOf({ method, path, port, key }: RequestParts): string {
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\nAccept: application/json\r\n`;
}
