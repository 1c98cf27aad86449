/** The output of `npm start -- --help`. */
export const START_USAGE = `npm start

Runs Headroom on this machine. It finds or downloads a database, makes its
indexes and loads the rules. It serves the functions of serverless.yml over HTTP
on 127.0.0.1. With the example rules, it sends itself sample payments. Then it
prints what to try next. Ctrl-C stops everything. Data stay in .headroom/, in a
folder for each port.

Settings, beside every setting of the functions:

  PORT              the port of the functions (3000; 0 takes a free one)
  LAMBDA_PORT       the port for AWS clients to invoke them (0, a free one)
  RULES_FILE        the rules, reloaded when they change (examples/rules.yaml)
  MONGODB_URI       your replica set instead of the local server
  MONGODB_DATABASE  the database (headroom_local)
  CONSOLE           off: no console (on)
  VERBOSE           1: shows all output of the functions and the framework
  AUTH              hmac: calls are signed (none)
  APPS_KEY          32 random bytes in base64, with AUTH=hmac (made and kept)

Example: PORT=3001 npm start. It ends with 0 when you stop it, and with 1 if it
cannot start or one of its programs ends.`;
