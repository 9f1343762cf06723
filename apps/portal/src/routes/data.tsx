import { Download } from "lucide-react";
import { EraseCard } from "../data/erase-card.js";
import { ImportCard } from "../data/import-card.js";
import { StorageCard } from "../now/storage-card.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Page } from "../ui/page.js";

/** Export, import, and erasing everything. */
export function DataPage() {
  return (
    <Page title="Data" intro="It is yours: take it with you, bring it here, or erase it.">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="space-y-4">
          <Card title="Export">
            <div className="space-y-4 px-4 pb-4">
              <p className="text-muted">
                Saves everything that is stored of you as JSON lines: contexts with their text, privacy rules, and settings. The last line
                has the counts and a SHA-256, so that an import notices a file that was cut off or changed.
              </p>
              <Button look="primary" asChild>
                <a href="/portal/export" download>
                  <Download className="size-4" aria-hidden />
                  Download export
                </a>
              </Button>
            </div>
          </Card>
          <ImportCard />
          <EraseCard />
        </div>
        <StorageCard />
      </div>
    </Page>
  );
}
