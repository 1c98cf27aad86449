import { healthSchema } from '../../lib/health/health-call.ts';
import type { Operation } from './operation.ts';

/** How the deployment is. */
export const HEALTH_OPERATION: Operation = {
  tag: 'Operation',
  takes: healthSchema,
  summary: 'State of the deployment',
  description:
    'Looks at the server, its clock, indexes, sizes and rules, as `headroom doctor` does, and changes nothing. It takes a second or more: it is for people, not for a load balancer.',
  answers: 'A finding for each thing.',
  codes: [],
  example: {
    answer: {
      version: '0.1.0',
      worst: 'warning',
      findings: [
        { name: 'server', level: 'ok', says: 'MongoDB 8.0.4' },
        {
          name: 'replica set',
          level: 'warning',
          says: 'rs0, 1 that can become primary',
          todo: 'have three: with fewer, nobody takes over when one is away',
        },
      ],
    },
  },
};
