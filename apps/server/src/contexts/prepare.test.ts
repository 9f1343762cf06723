import { expect, it } from "vitest";
import { createPrivacyFilter, type FailedClosed } from "../privacy/privacy-filter.js";
import { TaskTimeout, WorkerLost } from "../workers/worker-pool.js";
import { toCapture } from "./capture.js";
import { type FilteredCapture, type FilterItem, runFilterTask } from "./filter-task.js";
import { createBoundedFilter, type FilterWorkers } from "./prepare.js";

const outOfMemory = () => new WorkerLost("lost", { cause: Object.assign(new Error("heap"), { code: "ERR_WORKER_OUT_OF_MEMORY" }) });

/** A pool that runs tasks here, and fails those that have a word in them. */
function setUp(failure: (attempt: number) => Error | undefined = () => undefined) {
  const failed: FailedClosed[] = [];
  const filter = createPrivacyFilter({}, "1").withFailureListener((each) => failed.push(each));
  const sizes: number[] = [];
  const pool: FilterWorkers = {
    async run(_name, task) {
      sizes.push(task.items.length);
      const error = JSON.stringify(task.items).includes("knotty") ? failure(sizes.length) : undefined;
      if (error) throw error;
      return runFilterTask(task);
    },
  };
  return { bounded: createBoundedFilter({ filter, userId: "ada", pool }), filter, failed, sizes };
}

const page = (content: string): FilterItem<"capture"> => {
  const tabMetadata = { id: "7", url: "https://tea.example/", title: "Tea" };
  const context = { type: "page", tabId: "7", capturedAt: "2026-01-31T12:00:00Z", privacyLevel: "public", tabMetadata } as const;
  return { kind: "capture", capture: toCapture({ ...context, content }) };
};
const contentOf = ({ outcome }: FilteredCapture) => outcome.captured && outcome.context.content;

it.each([
  ["takes too long", () => new TaskTimeout("slow")],
  ["runs out of memory", outOfMemory],
])("withholds only the context of a group that %s", async (_, failure) => {
  const { bounded, failed } = setUp(failure);
  const [first, knotty, last] = await bounded.run(["tea", "knotty", "milk ".repeat(1_000)].map(page));
  expect([contentOf(first!), contentOf(last!)]).toEqual(["tea", "milk ".repeat(1_000)]);
  expect(knotty).toMatchObject({
    outcome: {
      captured: true,
      level: "restricted",
      reasons: ["too_complex"],
      context: { url: "https://tea.example", title: "[REDACTED:title]", content: "", metadata: {} },
    },
  });
  expect(failed).toEqual([{ part: "context", kind: "TaskTimeout" }]);
});

it("tries again once when a thread is lost, then answers unavailable", async () => {
  const items = [page("knotty ".repeat(1_000))];
  const once = setUp((attempt) => (attempt === 1 ? new WorkerLost("lost") : undefined));
  expect((await once.bounded.run(items)).map(contentOf)).toEqual(["knotty ".repeat(1_000)]);
  const always = setUp(() => new WorkerLost("lost"));
  await expect(always.bounded.run(items)).rejects.toMatchObject({ code: "unavailable" });
});
