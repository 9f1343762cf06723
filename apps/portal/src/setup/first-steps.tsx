import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "../api.js";
import { AgentTabs } from "../connect/agent-tabs.js";
import { apiConfigurations } from "../connect/configurations.js";
import { ConfigurationTabs } from "../connect/configuration-tabs.js";
import { ShownKey } from "../connect/shown-key.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";

/** How often the server is asked what has happened, in milliseconds. */
const askEveryMs = 2_000;

/** The first key, and three things to do with it; each is marked when it has happened. */
export function FirstSteps({ apiKey }: { apiKey: string }) {
  const trpc = useTRPC();
  const steps = useQuery(trpc.now.firstSteps.queryOptions(undefined, { refetchInterval: askEveryMs, staleTime: 0 }));
  const { extension = false, agent = false, api = false } = steps.data ?? {};
  return (
    <div className="space-y-4">
      <Card title="Your first key">
        <div className="px-4 pb-4">
          <ShownKey apiKey={apiKey} />
        </div>
      </Card>
      <Step isDone={extension} title="Install the extension" done="A page has arrived.">
        <p className="text-muted">
          In your clone, build it with <Code>npx pnpm@12 --filter @periscope/extension... build</Code>. In Chrome, open{" "}
          <Code>chrome://extensions</Code>, switch on developer mode, press <Name>Load unpacked</Name>, and choose the folder{" "}
          <Code>apps/extension/dist/chrome</Code>. Edge and Firefox have folders beside it. Then press <Name>Connect</Name> in the
          extension. It opens this server and asks you to approve. No key is typed.
        </p>
      </Step>
      <Step isDone={agent} title="Connect Claude, Cursor or VS Code" done="An agent has asked for your contexts.">
        <AgentTabs apiKey={apiKey} />
      </Step>
      <Step isDone={api} title="Try the API" done="The API has answered a request of yours.">
        <ConfigurationTabs configurations={apiConfigurations(location.origin, apiKey)} />
      </Step>
      <Button asChild look="primary" size="large" className="w-full">
        <Link to="/">Open Periscope</Link>
      </Button>
    </div>
  );
}

const Code = ({ children }: { children: string }) => <code className="font-mono text-small wrap-anywhere text-ink">{children}</code>;

const Name = ({ children }: { children: string }) => <em className="font-medium not-italic text-ink">{children}</em>;

function Step({ isDone, title, done, children }: { isDone: boolean; title: string; done: string; children: ReactNode }) {
  return (
    <Card className="p-4">
      <div className="flex items-center gap-3">
        <span
          data-done={isDone}
          className={`grid size-6 shrink-0 place-items-center rounded-full border transition-colors ${
            isDone ? "border-transparent bg-good text-surface" : "border-line bg-back text-transparent"
          }`}
        >
          <Check className="size-3.5" strokeWidth={3} aria-hidden />
        </span>
        <h2 className="grow font-bold">{title}</h2>
        <p role="status" className="text-small text-good">
          {isDone && done}
        </p>
      </div>
      <div className="mt-3">{children}</div>
    </Card>
  );
}
