import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createApi, createQueries, TRPCProvider } from "./api.js";
import "./app.css";
import { keepAuthorizationRequest } from "./authorization-request.js";
import { createPortalRouter } from "./router.js";

keepAuthorizationRequest();
const api = createApi();
const queries = createQueries(() => {
  // The guard of the pages then leads to the sign-in.
  queries.setQueryData(["session"], null);
  void router.invalidate();
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
