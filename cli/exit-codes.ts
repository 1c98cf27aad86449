/** It was done, and the output says everything. */
export const DONE = 0;

/** It was done, and found what somebody should look at: a difference, a refusal, an unknown order. */
export const FOUND = 1;

/** It was not done, or not wholly: a wrong call, no database, a fault that the doctor found. */
export const NOT_DONE = 2;
