/** A program that has registered to ask people for access, such as an MCP host. It is public: it has no secret. */
export interface OAuthClient {
  clientId: string;
  /** As the program calls itself. */
  name: string;
  redirectUris: readonly string[];
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** A code, an access token or a refresh token. What it allows, and until when, stands in its key. Times are milliseconds since the epoch. */
export interface OAuthToken {
  tokenId: string;
  kind: "code" | "access" | "refresh";
  /** SHA-256 of the whole token, hex. */
  hash: string;
  keyId: string;
  userId: string;
  clientId: string;
  /** Of a code: where it was sent. */
  redirectUri: string | null;
  /** Of a code: the S256 challenge of PKCE. */
  challenge: string | null;
  expiresAt: number;
  /** When a code or a refresh token was used first. */
  usedAt: number | null;
}

/** Programs that are kept although nobody has let them in yet. */
export const waitingClientsMax = 1_000;

/** What a code or a refresh token is used for. */
export interface TokenUse {
  at: number;
  /** A token whose first use was after this time may be used again. */
  reusableAfter: number;
  /** New tokens of the same key, which is valid until `keyExpiresAt` from then on. */
  tokens: readonly OAuthToken[];
  keyExpiresAt: number;
}

/** Programs that people let in, and what these hold. */
export interface OAuthStore {
  /** Stores a program. Of those that nobody has let in, the newest {@link waitingClientsMax} are kept: anybody may register. */
  addClient(client: OAuthClient): Promise<void>;
  findClient(clientId: string): Promise<OAuthClient | null>;
  /** Stores tokens of one key, which is valid until `keyExpiresAt` from then on. False, and stores nothing, when the key has ended. */
  addTokens(tokens: readonly OAuthToken[], keyExpiresAt: number): Promise<boolean>;
  findToken(tokenId: string): Promise<OAuthToken | null>;
  /**
   * Marks a token as used and stores the new tokens, both or neither. A code also revokes the earlier keys that the user has given to the
   * client. Changes nothing when the token was used before (of several calls at once, one finds it unused), or its key has ended.
   */
  useToken(token: OAuthToken, use: TokenUse): Promise<"done" | "used_before" | "ended">;
}
