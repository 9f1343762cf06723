import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api.js";
import { PreviewCard } from "../privacy/preview-card.js";
import { RetentionCard } from "../privacy/retention-card.js";
import { RuleLists } from "../privacy/rule-lists.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { Page } from "../ui/page.js";

/** The person's rules, how long contexts are kept, and what the filter does to a text. */
export function PrivacyPage() {
  const trpc = useTRPC();
  const { data: rules, error, refetch } = useQuery(trpc.privacy.rules.queryOptions());
  return (
    <Page title="Privacy" intro="What is stored of your pages, and for how long.">
      <div className="space-y-4">
        {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {rules === undefined && error === null && <LoadingRows rows={3} />}
        {rules !== undefined && (
          <>
            <p className="text-muted">These lists hold from the next page on. What is stored already stays as it is.</p>
            <RuleLists rules={rules} />
          </>
        )}
        <PreviewCard />
        <RetentionCard />
      </div>
    </Page>
  );
}
