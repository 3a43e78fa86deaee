type AddressProps = {
  name: string;
  street: string;
  city: string;
  area: string;
  postalCode: string;
  country: string;
};

/** An address in two lines. */
export function Address({ name, street, city, area, postalCode, country }: AddressProps) {
  return (
    <>
      <b>{name}</b>
      <small>
        {street}, {city} {area} {postalCode}, {country}
      </small>
    </>
  );
}

type Placed = { companyName: string; streetAddress1: string; city: string; postalCode: string };

/** The address in one line, for what is decided. */
export function oneLine({ companyName, streetAddress1, city, postalCode }: Placed): string {
  return [companyName, streetAddress1, city, postalCode].filter(Boolean).join(", ");
}
