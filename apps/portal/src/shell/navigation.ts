import type { LinkProps } from "@tanstack/react-router";
import {
  ChartColumn,
  Code,
  Database,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  Radio,
  Search,
  Server,
  ShieldCheck,
  Users,
} from "lucide-react";

/** A page of the portal, as the menus name it. */
export interface NavigationEntry {
  to: NonNullable<LinkProps["to"]>;
  label: string;
  icon: LucideIcon;
}

/** The pages in the order of the sidebar, by what they are about. */
export const navigation: ReadonlyArray<{ title?: string; isOwnerOnly?: boolean; entries: readonly NavigationEntry[] }> = [
  {
    entries: [
      { to: "/", label: "Now", icon: Radio },
      { to: "/explore", label: "Explore", icon: Search },
    ],
  },
  {
    title: "Access",
    entries: [
      { to: "/keys", label: "Keys", icon: KeyRound },
      { to: "/devices", label: "Devices", icon: MonitorSmartphone },
      { to: "/usage", label: "Usage", icon: ChartColumn },
      { to: "/api", label: "API", icon: Code },
    ],
  },
  {
    title: "Your data",
    entries: [
      { to: "/privacy", label: "Privacy", icon: ShieldCheck },
      { to: "/data", label: "Data", icon: Database },
    ],
  },
  {
    title: "Server",
    isOwnerOnly: true,
    entries: [
      { to: "/people", label: "People", icon: Users },
      { to: "/system", label: "System", icon: Server },
    ],
  },
];
