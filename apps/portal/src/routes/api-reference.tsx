import { useMutation } from "@tanstack/react-query";
import { ExternalLink, KeyRound } from "lucide-react";
import { useRef, useState } from "react";
import { useTRPC } from "../api.js";
import { Button } from "../ui/button.js";
import { useTabTitle } from "../ui/page.js";

const reference = "/api/v1/docs";

/** The reference of the REST interface, from which requests can be sent with a key of the person's own. */
export function ApiReferencePage() {
  useTabTitle("API");
  const trpc = useTRPC();
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      // The key is in the frame, and nowhere else.
      gcTime: 0,
      onSuccess: ({ key }) => fillIn(frame.current, key),
    }),
  );
  return (
    <div className="flex h-[calc(100dvh-52px-64px)] flex-col md:h-full md:pb-3">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        <div className="min-w-0">
          <h1 className="font-bold tracking-tight">API</h1>
          <p role="status" className="text-small text-muted">
            {create.isSuccess
              ? "Requests are sent with a new key that reads. It ends in a day, or when you revoke it."
              : "Send requests from the reference, with a key that is made for it."}
          </p>
        </div>
        <div className="flex items-center gap-2">
          <Button asChild look="quiet">
            <a href={reference} target="_blank" rel="noreferrer">
              <ExternalLink className="size-4" aria-hidden />
              Open alone
            </a>
          </Button>
          <Button
            look="primary"
            isBusy={create.isPending}
            disabled={!isReady || create.isPending || create.isSuccess}
            onClick={() => create.mutate({ name: "API reference", scopes: ["read"], maxPrivacyLevel: "restricted", expiresInDays: 1 })}
          >
            <KeyRound className="size-4" aria-hidden />
            {create.isSuccess ? "Key filled in" : "Fill in a key"}
          </Button>
        </div>
        {create.error !== null && (
          <p role="alert" className="w-full text-small text-bad">
            {create.error.message}
          </p>
        )}
      </header>
      <iframe ref={frame} src={reference} title="API reference" className="min-h-0 w-full grow bg-surface" onLoad={() => setReady(true)} />
    </div>
  );
}

/** Tells Scalar, which shows the reference in the frame, to authenticate with a key. */
function fillIn(frame: HTMLIFrameElement | null, token: string): void {
  const page = frame?.contentDocument;
  const inside = frame?.contentWindow as typeof globalThis | null | undefined;
  const given = page?.querySelector<HTMLElement>("#api-reference")?.dataset["configuration"];
  if (!page || !inside || given === undefined) throw new Error("The reference has not loaded. Load this page again.");
  // Scalar takes objects for what they are only when they were made inside the frame.
  const configuration = inside.JSON.parse(given) as { authentication: { securitySchemes?: object } };
  configuration.authentication.securitySchemes = inside.JSON.parse(JSON.stringify({ bearerAuth: { token } })) as object;
  const detail = Object.assign(inside.JSON.parse("{}") as object, { configuration });
  page.dispatchEvent(new inside.CustomEvent("scalar:update-references-config", { detail }));
}
