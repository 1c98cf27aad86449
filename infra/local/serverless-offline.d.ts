/** The members of serverless-offline, and of its HTTP server hapi, that are used here. */
declare module 'serverless-offline' {
  export type Log = Readonly<
    Record<
      'debug' | 'error' | 'info' | 'notice' | 'verbose' | 'warning',
      (...words: readonly unknown[]) => void
    >
  >;

  type Headers = Record<string, unknown>;

  export type HapiResponse = {
    code(status: number): HapiResponse;
    type(type: string): HapiResponse;
    header(name: string, value: string): HapiResponse;
    takeover(): HapiResponse;
  } & (
    | { readonly isBoom?: false; readonly headers: Headers }
    | {
        readonly isBoom: true;
        readonly output: {
          readonly headers: Headers;
          payload: { message?: string; error?: string };
        };
      }
  );

  export type HapiRequest = {
    readonly method: string;
    readonly raw: { readonly req: { readonly url: string } };
    readonly params: Readonly<Record<string, string | undefined>>;
    readonly app: { isUnknown?: boolean; progress?: 'waits' | 'runs' | 'ended' };
    readonly response: HapiResponse;
  };

  export type HapiToolkit = {
    readonly continue: symbol;
    response(body: object): HapiResponse;
  };

  export type HapiServer = {
    route(route: {
      readonly method: 'GET';
      readonly path: string;
      readonly handler: (
        request: HapiRequest,
        h: {
          response(body: string | Buffer | object): HapiResponse;
          redirect(path: string): unknown;
        },
      ) => unknown;
    }): void;
    match(method: string, path: string): { readonly method: string } | null;
    ext(
      event: 'onRequest' | 'onPreHandler' | 'onPreResponse',
      method: (
        request: HapiRequest,
        h: HapiToolkit,
      ) => symbol | HapiResponse | Promise<symbol | HapiResponse>,
    ): void;
    readonly events: {
      /** Once a request, also where the caller went away before it was answered. */
      on(event: 'response', listener: (request: HapiRequest) => void): void;
    };
  };

  export default class ServerlessOffline {
    constructor(serverless: object, options: object, utils: { readonly log: Log });
    start(): Promise<void>;
    /** Lets open requests end, for 5 s at most. */
    end(skipExit: boolean): Promise<void>;
    internals(): { getApiGatewayServer(): HapiServer };
  }
}
