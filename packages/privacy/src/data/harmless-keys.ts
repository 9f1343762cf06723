/** Path segments before the id of something that everyone may look up, such as a song or a film: at `filtered` an id of up to 24 characters stays. */
export const publicThings: ReadonlySet<string> = new Set([
  "track", "tracks", "album", "albums", "artist", "artists", "playlist", "playlists", "episode", "episodes", "show", "shows", "podcast", "song", "songs", "music", "video", "videos", "watch", "embed", "shorts", "reel", "clip", "movie", "film", "title", "channel", "station", "photo", "photos", "gallery", "image", "pin", "post", "posts", "story", "stories", "article", "articles", "news", "status", "tweet", "thread", "question", "questions", "answer", "book", "books", "paper", "recipe", "product", "products", "item", "items", "listing", "listings", "game", "games", "app", "apps", "package", "packages", "model", "models", "dataset", "datasets", "place", "places", "event", "events", "course", "courses",
]);

/** Query keys whose values are kept at `filtered`, after the detectors: searches, paging, views (privacy rules, "Fields"). */
export const harmlessKeys: ReadonlySet<string> = new Set([
  "q", "query", "search", "p", "page", "id", "v", "t", "lang", "hl", "tab", "sort", "filter", "tag", "category",
]);
