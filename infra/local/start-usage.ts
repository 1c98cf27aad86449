/** What `npm start -- --help` prints. */
export const START_USAGE = `npm start

Runs Headroom on this machine: finds or fetches a database, makes its indexes,
loads the rules, serves the functions of serverless.yml over HTTP on 127.0.0.1,
sends itself sample transactions if the rules are those of the example, and
prints what to try next. Ctrl-C stops everything. Data stay in .headroom/,
in a folder for each port.

Settings, from the environment, and every other setting of the functions:

  PORT              where the functions answer (3000; 0 takes any free one)
  LAMBDA_PORT       where AWS's clients can invoke them (0, any free one)
  RULES_FILE        the rules, loaded when they change (examples/rules.yaml)
  MONGODB_URI       a server of yours in place of the local one, a replica set
  MONGODB_DATABASE  (headroom_local)
  CONSOLE           off builds no console (on)
  VERBOSE           1 shows all that the functions and the framework print
  AUTH              hmac: calls are signed (none)
  APPS_KEY          32 random bytes in base64, with AUTH=hmac (made and kept)

For instance: PORT=3001 npm start. Ends with 0 when it was stopped, 1 where it
could not start or something that it started ended.`;
