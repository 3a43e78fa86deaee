import type { ComponentProps, ReactNode } from "react";
import classes from "./line-item.module.css";

type LineItemsProps = ComponentProps<"ul"> & {
  /** Without a frame, within a panel. */
  plain?: boolean;
  /** Sixty pixels a line where nothing is wrong: name, then everything else in one row. */
  dense?: boolean;
};

/** What is bought or was: an article or a plan on each line. */
export function LineItems({ plain = false, dense = false, ...rest }: LineItemsProps) {
  const look = plain ? classes.plain : classes.framed;
  return <ul {...rest} className={dense ? `${look} ${classes.dense}` : look} />;
}

type LineItemProps = Omit<ComponentProps<"li">, "children"> & {
  picture?: ReactNode;
  name: ReactNode;
  /** A SKU or a serial number. */
  code?: ReactNode;
  /** Where it stands, and what there is to know. */
  children?: ReactNode;
  count?: ReactNode;
  amount?: ReactNode;
  action?: ReactNode;
};

export function LineItem(props: LineItemProps) {
  const { picture, name, code, children, count, amount, action, ...rest } = props;
  return (
    <li {...rest} className={classes.line}>
      {picture ? <div className={classes.picture}>{picture}</div> : null}
      <div className={classes.what}>
        <span className={classes.name}>{name}</span>
        {code ? <span className={classes.code}>{code}</span> : null}
        {children}
      </div>
      {count ? <div className={classes.count}>{count}</div> : null}
      {amount === undefined ? null : <div className={classes.amount}>{amount}</div>}
      {action ? <div className={classes.action}>{action}</div> : null}
    </li>
  );
}
