import { byId, icon, onPress } from "../pages/elements.js";
import { startPage } from "../pages/page-context.js";
import { hasConsent } from "../recording/page-state.js";
import { isPaused, togglePause } from "../settings/settings.js";
import { pageCard } from "./page-card.js";
import { previewCard } from "./preview-card.js";
import { queueBar } from "./queue-bar.js";
import { recentCard } from "./recent-card.js";
import { siteCard } from "./site-card.js";
import { readView, type View } from "./view.js";

// The popup: this page, its site, what was stored last, and what waits.

/** Milliseconds between two looks at what became of the page. */
const lookMs = 1_000;
const context = startPage();
const { api, store, words, now } = context;
const recording = byId("recording", HTMLButtonElement);
const pause = byId("pause", HTMLButtonElement);
const parts: ((view: View) => void)[] = [
  pageCard(context, show),
  previewCard(context),
  siteCard(context, show),
  queueBar(context, show),
  showSwitches,
  recentCard(context, async () => {
    // What the server said of the page may be another now.
    last = undefined;
    await show();
  }),
];
let last: View | undefined;
let shows = 0;
let asking: Promise<void> | undefined;

/** Shows what this browser knows at once, and then what the server says. Of several at a time, the last one is shown. */
async function show(): Promise<void> {
  shows += 1;
  const turn = shows;
  const view = await readView(context, last);
  if (turn !== shows) return;
  draw(view);
  asking = ask(view, turn);
}

async function ask(view: View, turn: number): Promise<void> {
  const fact = await view.ask?.();
  if (fact !== undefined && turn === shows) draw({ ...view, fact, ask: undefined });
}

function draw(view: View): void {
  last = view;
  for (const part of parts) part(view);
}

function showSwitches({ settings }: View): void {
  recording.setAttribute("aria-checked", String(settings.isRecording && hasConsent(settings)));
  recording.disabled = !hasConsent(settings);
  const shows = isPaused(settings, now()) ? "pauseEnd" : "pauseHour";
  // A press whose icon is replaced before it ends is none.
  if (pause.value !== shows) pause.replaceChildren(icon(shows === "pauseEnd" ? "play" : "pause"), words(shows));
  pause.value = shows;
  pause.hidden = !hasConsent(settings) || !settings.isRecording;
}

onPress(recording, async () => {
  await store.change((settings) => ({ ...settings, isRecording: !settings.isRecording }));
  await show();
});
onPress(pause, async () => {
  await store.change((settings) => togglePause(settings, now()));
  await show();
});
onPress(byId("options"), async () => {
  await api.runtime.openOptionsPage();
  close();
});
store.onChange(() => show());
await show();
document.body.dataset["ready"] = "";
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, lookMs));
  await show()
    .then(() => asking)
    .catch(() => {});
}
