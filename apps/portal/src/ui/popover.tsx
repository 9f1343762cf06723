import { Popover as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";

/** A small window below a button; what is inside can close it. */
export function Popover({ trigger, children }: { trigger: ReactNode; children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-[calc(100vw-16px)] rounded-medium bg-raised p-4 shadow-float outline-none"
        >
          {children(() => setOpen(false))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
