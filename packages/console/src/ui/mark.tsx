/** The sign of the project: two limits, of which some is taken. */
export function Mark() {
  return (
    <svg className="sign" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="sign-ground" />
      <path d="M7 11h18M7 21h18" className="sign-rest" />
      <path d="M7 11h7M7 21h13" className="sign-taken" />
    </svg>
  );
}
