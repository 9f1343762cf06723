import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createApi, createQueries, TRPCProvider } from "./api.js";
import "./app.css";
import { keepAuthorizationRequest } from "./authorization-request.js";
import { createPortalRouter } from "./router.js";
import type { Session } from "./session.js";

keepAuthorizationRequest();
const shownUser = () => queries.getQueryData<Session | null>(["session"])?.userId;
const api = createApi(shownUser);
const queries = createQueries(() => {
  // Nothing of this person stays: the page comes back for who is signed in now, or leads to the sign-in.
  if (shownUser() !== undefined) location.reload();
});
const router = createPortalRouter({ api, queries });

createRoot(document.querySelector("#root") ?? document.body).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={api} queryClient={queries}>
        <RouterProvider router={router} />
      </TRPCProvider>
    </QueryClientProvider>
  </StrictMode>,
);
