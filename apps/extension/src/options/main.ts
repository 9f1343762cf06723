import { startPage } from "../pages/page-context.js";
import { consentSection } from "./consent-section.js";
import { levelsSection } from "./levels-section.js";
import { recordingSection } from "./recording-section.js";
import { refusedSection } from "./refused-section.js";
import { serverSection } from "./server-section.js";
import { sitesSection } from "./sites-section.js";

// The options: each change holds at once, but for server and key, which are saved together.

const context = startPage();
const showServer = serverSection(context);
const showRecording = recordingSection(context, show);
const showSites = sitesSection(context, show);
const showLevels = levelsSection(context, show);
const showRefused = refusedSection(context);
const showConsent = consentSection(context, show);

async function show(): Promise<void> {
  const now = await context.store.readWithKey();
  showServer(now);
  showSites(now.settings);
  showLevels(now.settings);
  showConsent(now.settings);
  await showRecording(now.settings);
}

context.store.onChange(show);
context.api.permissions.onAdded.addListener(() => void show());
context.api.permissions.onRemoved.addListener(() => void show());
await show();
await showRefused();
document.body.dataset["ready"] = "";
