/** Workers of the cluster that the tests are to run on, by TEST_CITUS_WORKERS; 0 for none. */
export const citusWorkers = Number(process.env["TEST_CITUS_WORKERS"] || 0);
