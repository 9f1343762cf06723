import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { Button } from "./button.js";
import { Empty } from "./empty.js";

/** An address that leads to nothing. */
export function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty
        icon={Compass}
        title="There is no such page"
        action={
          <Button asChild>
            <Link to="/">Go to Now</Link>
          </Button>
        }
      >
        Check the address.
      </Empty>
    </main>
  );
}
