export type { Alarms } from './alarms.ts';
export { Headroom } from './headroom.ts';
export type { HeadroomProps } from './props.ts';
