import { byId, onPress } from "../pages/elements.js";
import { startPage } from "../pages/page-context.js";
import { hasConsent } from "../recording/page-state.js";
import { currentPage } from "./current-page.js";
import { forgetSection } from "./forget-section.js";
import { pageSection } from "./page-section.js";
import { previewSection } from "./preview-section.js";
import { queueSection } from "./queue-section.js";

// The popup: this page, what waits, and the switches that are reached for most.

const hour = 3_600_000;
const context = startPage();
const { api, store, words, now } = context;
const recording = byId("recording", HTMLButtonElement);
const pause = byId("pause", HTMLButtonElement);
const showPage = pageSection(context, show);
const showQueue = queueSection(context);
const showForget = forgetSection(context, show);
const showPreview = previewSection(context);

async function show(): Promise<void> {
  const [settings, page] = await Promise.all([store.read(), currentPage(context)]);
  recording.setAttribute("aria-checked", String(settings.isRecording && hasConsent(settings)));
  recording.disabled = !hasConsent(settings);
  const isPaused = settings.pausedUntil !== null && settings.pausedUntil > now();
  pause.textContent = words(isPaused ? "pauseEnd" : "pauseHour");
  pause.hidden = !hasConsent(settings) || !settings.isRecording;
  showPage(settings, page);
  showForget(page);
  showPreview(page);
  await showQueue();
}

onPress(recording, async () => {
  await store.change((settings) => ({ ...settings, isRecording: !settings.isRecording }));
  await show();
});
onPress(pause, async () => {
  await store.change((settings) => {
    const isPaused = settings.pausedUntil !== null && settings.pausedUntil > now();
    return { ...settings, pausedUntil: isPaused ? null : now() + hour };
  });
  await show();
});
onPress(byId("options", HTMLButtonElement), async () => {
  await api.runtime.openOptionsPage();
  close();
});
store.onChange(show);
await show();
document.body.dataset["ready"] = "";
