import type { PrivacyLevel, Scope } from "@periscope/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ShieldAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Outputs, useTRPC, useTRPCClient } from "../api.js";
import { useSession } from "../session.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Entrance } from "../ui/entrance.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { Select } from "../ui/select.js";

const route = getRouteApi("/app/authorize");

const scopeTexts: Readonly<Record<Scope, { label: string; meaning: string }>> = {
  read: { label: "Read", meaning: "Search your pages, read them, and see what you look at now." },
  write: { label: "Write", meaning: "Add pages, and change what is stored." },
  delete: { label: "Delete", meaning: "Delete pages for good." },
};

const levelChoices: ReadonlyArray<{ value: PrivacyLevel; label: string }> = [
  { value: "public", label: "Only pages of the level Public" },
  { value: "private", label: "Pages up to the level Private" },
  { value: "filtered", label: "Pages up to the level Filtered" },
  { value: "restricted", label: "Everything, restricted sites too" },
];

type Asked = Extract<Outputs["agents"]["request"], { scopes: unknown }>;

/** Asks the person whether a program, such as Claude or Cursor, may use what their browser has sent. */
export function AuthorizePage() {
  const trpc = useTRPC();
  const { request } = route.useSearch();
  const parameters = Object.fromEntries(new URLSearchParams(request));
  const { data: asked, error, refetch } = useQuery(trpc.agents.request.queryOptions({ parameters }, { staleTime: Infinity }));
  const [answered, setAnswered] = useState<"agreed" | "refused">();
  const answer = (address: string, given: "agreed" | "refused") => {
    setAnswered(given);
    location.assign(address);
  };
  if (answered !== undefined)
    return frame(
      <p className="text-center text-balance text-muted">
        {answered === "agreed"
          ? "Go on in the program. You can close this page, and end the access on the page Keys at any time."
          : "The program has no access. You can close this page."}
      </p>,
      "Done",
    );
  if (error) return frame(<Failure error={error} onRetry={() => void refetch()} />);
  if (!asked) return frame(<LoadingRows rows={3} />);
  if ("fault" in asked)
    return frame(
      <>
        <Failure error={{ message: `${asked.clientName} sent a request that this server refuses: ${asked.fault}` }} />
        <Button className="mt-4 w-full" size="large" onClick={() => answer(asked.refuseTo, "refused")}>
          Back to {asked.destination}
        </Button>
      </>,
    );
  return frame(
    <Consent asked={asked} parameters={parameters} onAnswer={answer} />,
    asked.clientName.length > 30 ? "Connect this program?" : `Connect ${asked.clientName}?`,
  );
}

const frame = (content: ReactNode, title = "Connect a program") => <Entrance title={title}>{content}</Entrance>;

function Consent({
  asked,
  parameters,
  onAnswer,
}: {
  asked: Asked;
  parameters: Record<string, string>;
  onAnswer: (to: string, given: "agreed" | "refused") => void;
}) {
  const client = useTRPCClient();
  const { name, email } = useSession();
  const [scopes, setScopes] = useState<readonly Scope[]>(
    asked.scopes.length > 1 ? asked.scopes.filter((scope) => scope !== "delete") : asked.scopes,
  );
  const [maxPrivacyLevel, setLevel] = useState<PrivacyLevel>("filtered");
  const agree = useMutation({
    mutationFn: () => client.agents.agree.mutate({ parameters, scopes: [...scopes], maxPrivacyLevel }),
    onSuccess: ({ redirectTo }) => onAnswer(redirectTo, "agreed"),
  });
  return (
    <>
      <Card className="divide-y divide-line">
        <div className="flex items-start gap-3 p-4">
          <ShieldAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
          <p className="min-w-0 wrap-anywhere">
            It calls itself <strong className="font-medium">{asked.clientName}</strong>, and the answer goes to{" "}
            <strong className="font-medium">{asked.destination}</strong>. Go on only if you started this just now.
          </p>
        </div>
        <fieldset className="space-y-3 p-4">
          <legend className="float-left mb-3 w-full font-medium">What it may do</legend>
          {asked.scopes.map((scope) => (
            <label key={scope} className="clear-both flex items-start gap-3">
              <input
                type="checkbox"
                className="mt-0.5 size-4 shrink-0 accent-accent"
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  setScopes(asked.scopes.filter((each) => (each === scope ? target.checked : scopes.includes(each))))
                }
              />
              <span>
                <span className="block font-medium">{scopeTexts[scope].label}</span>
                <span className="block text-small text-muted">{scopeTexts[scope].meaning}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div className="p-4">
          <Select
            label="What it may see"
            choices={levelChoices}
            value={maxPrivacyLevel}
            onChange={({ target }) => setLevel(target.value as PrivacyLevel)}
          />
        </div>
      </Card>
      {agree.error !== null && (
        <div className="mt-4">
          <Failure error={agree.error} />
        </div>
      )}
      <div className="mt-4 grid grid-cols-2 gap-3">
        <Button size="large" onClick={() => onAnswer(asked.refuseTo, "refused")}>
          Refuse
        </Button>
        <Button size="large" look="primary" disabled={scopes.length === 0} isBusy={agree.isPending} onClick={() => agree.mutate()}>
          Connect
        </Button>
      </div>
      <p className="mt-4 text-center text-small text-balance text-muted">
        You are signed in as {name} ({email}). The access shows on the page Keys, where you can end it.
      </p>
    </>
  );
}
