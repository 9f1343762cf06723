import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Button } from "./button.js";
import { classNames } from "./class-names.js";

interface DialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  intro?: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

/** A window over the page; on a phone it comes from below. */
export function Dialog({ isOpen, onOpenChange, title, intro, isWide = false, children }: DialogProps) {
  const opener = useRef<Element>(null);
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          className={classNames(
            "fixed inset-x-0 bottom-0 z-50 max-h-[90dvh] overflow-y-auto rounded-t-large bg-raised p-5 shadow-float",
            "sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-full sm:-translate-1/2 sm:rounded-large sm:p-6",
            isWide ? "sm:max-w-[680px]" : "sm:max-w-[440px]",
          )}
          {...(intro === undefined && { "aria-describedby": undefined })}
          onOpenAutoFocus={() => void (opener.current = document.activeElement)}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // What opened it can be gone, with what it was about.
            const { current } = opener;
            (current instanceof HTMLElement && current.isConnected ? current : document.querySelector<HTMLElement>("#main"))?.focus();
          }}
        >
          <Radix.Title className="pr-8 text-large font-bold tracking-tight">{title}</Radix.Title>
          {intro !== undefined && <Radix.Description className="mt-1 pr-8 text-muted">{intro}</Radix.Description>}
          <div className="mt-5">{children}</div>
          {/* Last, so that what is asked for has the focus first. */}
          <Radix.Close asChild>
            <Button look="quiet" size="square" className="absolute top-4 right-4" aria-label="Close">
              <X className="size-4" aria-hidden />
            </Button>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
