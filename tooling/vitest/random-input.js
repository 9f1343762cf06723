import fc from "fast-check";

// Random input is the same in every run, so that a run fails for a change and for nothing else. A deep run tries other input each time.
if (process.env.TEST_DEEP !== "1") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_123 });
