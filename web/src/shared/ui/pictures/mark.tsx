/** The product's mark: a key that is also the stroke of a power switch. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <path
        fill="none"
        stroke="#6fc4cd"
        strokeWidth="4.2"
        strokeLinecap="round"
        d="M13.1 10.2a12 12 0 1 0 13.8 0"
      />
      <path
        fill="none"
        stroke="#f2f7f8"
        strokeWidth="4.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M20 6.5v21m0-8h5m-5 6h4"
      />
    </svg>
  );
}
