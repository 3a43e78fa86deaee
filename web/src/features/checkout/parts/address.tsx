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
