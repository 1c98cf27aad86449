import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../framework.ts';

/** The fields of serverless.yml that are read when all its variables are resolved; it has more. */
export type ServiceDescription = {
  readonly service: string;
  readonly provider: { readonly environment: Readonly<Record<string, string>> };
  readonly functions: Readonly<
    Record<
      string,
      {
        /** `functions/check.handler` */
        readonly handler: string;
        readonly name?: string;
        readonly events: readonly Readonly<Record<string, unknown>>[];
      }
    >
  >;
  readonly custom: {
    readonly esbuild: { readonly outputFileExtension: string } & Readonly<Record<string, unknown>>;
  };
};

type Configuration = Record<string, unknown>;
type Source = {
  readonly resolve: (question: {
    readonly address: string;
    readonly resolveConfigurationProperty: (path: readonly string[]) => Promise<unknown>;
  }) => Promise<{ readonly value: unknown }>;
};
type Resolve = (work: {
  readonly serviceDir: string;
  readonly configuration: Configuration;
  readonly options: { readonly stage: string };
  readonly sources: Readonly<Record<string, Source>>;
}) => Promise<void>;

const require = createRequire(import.meta.url);
const FRAMEWORK = 'serverless/lib/configuration';

/**
 * Reads serverless.yml and resolves its variables by the framework's own modules, which takes a
 * quarter of a second. The whole framework needs three seconds more, for what deploys.
 *
 * @throws the framework's ServerlessError naming each variable that cannot be resolved
 */
export async function readServiceDescription(stage: string): Promise<ServiceDescription> {
  // The framework has no types; these are what its code says.
  const read = require(`${FRAMEWORK}/read.js`) as (file: string) => Promise<Configuration>;
  const resolve = require(`${FRAMEWORK}/variables/index.js`) as Resolve;
  const source = (name: string) => require(`${FRAMEWORK}/variables/sources/${name}.js`) as Source;
  const stageSource = require(
    `${FRAMEWORK}/variables/sources/instance-dependent/get-sls.js`,
  ) as () => Source;
  const configuration = await read(join(ROOT, 'serverless.yml'));
  await resolve({
    serviceDir: ROOT,
    configuration,
    options: { stage },
    sources: {
      env: source('env'),
      file: source('file'),
      opt: source('opt'),
      self: source('self'),
      sls: stageSource(),
      param: parametersOf(stage),
    },
  });
  // The repository's own file, whose form the framework checks when it packages.
  return configuration as unknown as ServiceDescription;
}

/** The framework's own source of parameters needs the framework around it. */
function parametersOf(stage: string): Source {
  return {
    async resolve({ address, resolveConfigurationProperty }) {
      for (const part of [stage, 'default']) {
        const value = await resolveConfigurationProperty(['params', part, address]);
        if (value !== null && value !== undefined) return { value };
      }
      return { value: null };
    },
  };
}
