import type { ReactNode } from "react";

interface FormProps {
  /** Called with a reader of the text in each field, by its name. */
  onSubmit: (textOf: (name: string) => string) => void | Promise<void>;
  className?: string;
  children: ReactNode;
}

/** A form whose fields are read when it is sent. */
export function Form({ onSubmit, className, children }: FormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget);
        void onSubmit((name) => {
          const value = values.get(name);
          return typeof value === "string" ? value : "";
        });
      }}
    >
      {children}
    </form>
  );
}
