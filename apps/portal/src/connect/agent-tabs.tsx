import { useState } from "react";
import { Segments } from "../ui/segments.js";
import { ConfigurationTabs } from "./configuration-tabs.js";
import { agentConfigurations } from "./configurations.js";

const ways = [
  { value: "sign-in", label: "Sign in" },
  { value: "key", label: "With this key" },
] as const;

/** How agents are told of this server: they sign the person in, or have a key. */
export function AgentTabs({ apiKey }: { apiKey: string }) {
  const [way, setWay] = useState<(typeof ways)[number]["value"]>("sign-in");
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Segments label="How agents get in" value={way} onChange={setWay} choices={ways} />
        <p className="text-small text-muted">
          {way === "sign-in" ? "It opens this server in your browser, and you say what it may do." : "The key goes into its configuration."}
        </p>
      </div>
      <ConfigurationTabs configurations={agentConfigurations(location.origin, way === "key" ? apiKey : undefined)} />
    </div>
  );
}
