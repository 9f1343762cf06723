/** A page that somebody has read. */
export interface ExamplePage {
  url: string;
  title: string;
  content: string;
  type?: "page" | "selection" | "media";
  privacyLevel?: "filtered" | "restricted";
}

/** What the pictures of the portal show. */
export const examplePages: [ExamplePage, ...ExamplePage[]] = [
  {
    url: "https://optics.example/fresnel-lens",
    title: "How a Fresnel lens bends light",
    content:
      "# How a Fresnel lens bends light\n\nA Fresnel lens is cut into rings. Each ring bends light by the same angle as the curve of a thick lens, without its glass.\n\n## Why lighthouses use it\n\nA lens of the first order stands 2.6 metres tall. A solid lens of that size would weigh tons and swallow most of the light. The rings send nearly all of it to the horizon.\n\n- **Central rings** refract the light.\n- **Outer rings** reflect it inside the glass.\n\n> The keeper wound the clockwork every four hours, so that the lens could turn.",
  },
  {
    url: "https://postgres-notes.example/index-only-scans",
    title: "When PostgreSQL uses an index only scan",
    content:
      "An index only scan answers from the index alone. The visibility map says which pages need no look at the table. Vacuum keeps it fresh.",
  },
  {
    url: "https://lighthouse-museum.example/visit",
    title: "Visit the lighthouse and its first-order lens",
    content: "The tower is open from April to October. 217 steps lead to the lens. Tours start at the keeper's house at ten and at two.",
  },
  {
    url: "https://profiling.example/flame-graphs",
    title: "Reading a flame graph from top to bottom",
    content: "The width of a box is the share of samples in which the function was on the stack. Look for wide plateaus at the top first.",
  },
  {
    url: "https://ferries.example/timetable/winter",
    title: "Ferry timetable, winter",
    content: "From November to March the ferry leaves at 07:40, 11:15 and 16:30. In storms, look at the notice of the harbour.",
  },
  {
    url: "https://bakery.example/blog/sourdough",
    title: "Sourdough at 75 percent hydration",
    content:
      "Mix flour and water, rest for an hour, then add the starter. Fold four times. Bake at 240 degrees under a lid for 25 minutes.",
    type: "selection",
  },
  {
    url: "https://mail.example/inbox/4711",
    title: "Re: Quotes for the new lens grinder",
    content: "Hello, both quotes are attached. Call me at +1 202 555 0143 or write to grace@example.com until Friday.",
    privacyLevel: "filtered",
  },
  {
    url: "https://camera.example/reviews/35mm",
    title: "A 35 mm lens for travel, compared with three others",
    content: "The lens is sharp from f/2.8 on. Flare is low, and distortion is corrected in the camera. It weighs 320 grams.",
  },
  {
    url: "https://bank.example/accounts",
    title: "Accounts",
    content: "Balance and transfers.",
    privacyLevel: "restricted",
  },
  {
    url: "https://typescript-notes.example/using",
    title: "Explicit resource management with await using",
    content: "A value declared with await using is disposed at the end of its block, in the reverse order of its declaration.",
  },
  {
    url: "https://maps.example/coast-path",
    title: "Coast path, stage 4: from the harbour to the lighthouse",
    content: "14 kilometres, 380 metres up. The path leaves the harbour behind the lens factory and follows the cliff.",
    type: "media",
  },
  {
    url: "https://glassworks.example/grinding",
    title: "Grinding a lens by hand",
    content: "Start with coarse carborundum and change to a finer grit when the pits are even. The lens is polished on pitch.",
  },
  {
    url: "https://astronomy.example/refractors",
    title: "Why refracting telescopes stopped growing",
    content: "A large lens sags under its own weight, and it can be held only at its edge. Mirrors are carried from behind.",
  },
  {
    url: "https://history.example/augustin-fresnel",
    title: "Augustin Fresnel and the light at Cordouan",
    content: "In 1823 the first lens of his kind was lit in the tower of Cordouan. Sailors saw it from more than 30 kilometres away.",
  },
  {
    url: "https://harbour.example/notices",
    title: "Notices of the harbour",
    content: "The eastern pier is closed for repairs. The light of the breakwater shows two flashes every ten seconds.",
  },
  {
    url: "https://node-notes.example/streams",
    title: "Backpressure in streams, step by step",
    content: "A readable stream stops reading when the buffer of the writable one is full. Pipelines pass errors on and close both ends.",
  },
];
