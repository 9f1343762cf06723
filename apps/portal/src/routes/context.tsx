import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { ArrowLeft, ExternalLink, FileX, Trash2 } from "lucide-react";
import { type Outputs, useTRPC } from "../api.js";
import { Markdown, PlainText } from "../context/markdown.js";
import { RemovedCard } from "../context/removed-card.js";
import { TabCard } from "../context/tab-card.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Confirm } from "../ui/confirm.js";
import { Empty } from "../ui/empty.js";
import { Failure } from "../ui/failure.js";
import { Bar } from "../ui/loading.js";
import { useTabTitle } from "../ui/page.js";
import { ContextTitle, RedactedText, toPlainTitle } from "../ui/redacted-text.js";

const route = getRouteApi("/app/framed/contexts/$contextId");

/** One context: its text as it is stored, what was removed from it, and where it came from. */
export function ContextPage() {
  const { contextId } = route.useParams();
  const trpc = useTRPC();
  const router = useRouter();
  const found = useQuery(trpc.explore.context.queryOptions({ contextId }));
  useTabTitle(found.data === undefined ? "Context" : toPlainTitle(found.data.title));
  const leave = () => (router.history.canGoBack() ? router.history.back() : void router.navigate({ to: "/explore" }));
  return (
    <div className="mx-auto w-full max-w-[1120px] px-4 pt-4 pb-16 md:px-8 md:pt-6">
      <div className="mb-4 flex items-center justify-between">
        <Button look="quiet" size="small" className="-ml-2.5" onClick={leave}>
          <ArrowLeft className="size-4" aria-hidden />
          Back
        </Button>
        {found.data !== undefined && <DeleteContext contextId={contextId} onDeleted={leave} />}
      </div>
      {found.error ? (
        found.error.data?.httpStatus === 404 ? (
          <Empty icon={FileX} title="This context is not stored">
            It was deleted, or its retention ended.
          </Empty>
        ) : (
          <Failure error={found.error} onRetry={() => void found.refetch()} />
        )
      ) : found.data === undefined ? (
        <div className="space-y-3">
          <Bar className="h-6 w-2/3" />
          <Bar className="w-1/3" />
        </div>
      ) : (
        <Found context={found.data} />
      )}
    </div>
  );
}

function Found({ context }: { context: Outputs["explore"]["context"] }) {
  const { title, url, text, isMarkdown, privacyLevel, removed, levelReasons } = context;
  const isWeb = /^https?:\/\//.test(url);
  return (
    <>
      <h1
        dir="auto"
        title={toPlainTitle(title)}
        className="line-clamp-4 text-left text-title font-bold tracking-tight text-balance wrap-anywhere"
      >
        <ContextTitle title={title} />
      </h1>
      {isWeb ? (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className="mt-1 inline-flex max-w-full items-center gap-1.5 rounded-small text-accent-ink hover:underline"
        >
          <span className="truncate">
            <RedactedText text={url} />
          </span>
          <ExternalLink className="size-3.5 shrink-0" aria-hidden />
        </a>
      ) : (
        <p className="mt-1 truncate text-muted">{url || "Address not stored"}</p>
      )}
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <Card className="p-5 md:p-7">
          {text.trim() === "" ? (
            <p className="text-muted">No text is stored of this.</p>
          ) : isMarkdown ? (
            <Markdown text={text} />
          ) : (
            <PlainText text={text} />
          )}
        </Card>
        <div className="space-y-4 lg:sticky lg:top-6">
          <RemovedCard level={privacyLevel} reasons={levelReasons} removed={removed} />
          <TabCard context={context} />
        </div>
      </div>
    </>
  );
}

function DeleteContext({ contextId, onDeleted }: { contextId: string; onDeleted: () => void }) {
  const { mutateAsync: remove } = useMutation(useTRPC().explore.remove.mutationOptions({ onSuccess: onDeleted }));
  return (
    <Confirm
      trigger={
        <Button look="danger" size="small">
          <Trash2 className="size-3.5" aria-hidden />
          Delete
        </Button>
      }
      title="Delete this context?"
      action="Delete"
      onConfirm={() => remove({ contextId })}
    >
      It is deleted for good, also for every agent and app with a key of yours.
    </Confirm>
  );
}
