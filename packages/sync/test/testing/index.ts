export { type FakeAlarm, type FakeBrowser, fakeBrowser, type NavigationInput } from "./fake-browser.js";
export {
  answers,
  cuts,
  cutsAfterStoring,
  type FakeService,
  fakeService,
  type Fault,
  portal,
  type ReceivedBatch,
  refuses,
  stalls,
  type StoredMessage,
} from "./fake-service.js";
export { type ManualClock, manualClock } from "./manual-clock.js";
export { memoryLocks, type MemoryLocks } from "./memory-locks.js";
export { memoryStore } from "./memory-store.js";
