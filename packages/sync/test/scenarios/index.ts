import { causeScenarios } from "./causes.js";
import { machineScenarios } from "./machine.js";
import { peopleScenarios } from "./people.js";
import type { Scenario } from "./scenario.js";
import { serviceScenarios } from "./service.js";
import { statusScenarios } from "./status.js";

/** Every scenario, by the fault of the design's matrix that it is about. */
export const scenarios: Record<string, Scenario> = {
  ...serviceScenarios,
  ...machineScenarios,
  ...peopleScenarios,
  ...statusScenarios,
  ...causeScenarios,
};
