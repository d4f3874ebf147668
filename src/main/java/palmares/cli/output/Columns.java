package palmares.cli.output;

import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;

/** The columns of tables for people. */
public final class Columns {
  private static final int WIDEST = 60;

  private Columns() {}

  /** Text that is broken into lines where it is long. */
  public static Column text(String header) {
    return whole(header).maxWidth(WIDEST);
  }

  /** Text that stays in one line, however long. */
  public static Column whole(String header) {
    return new Column()
        .header(header)
        .headerAlign(HorizontalAlign.LEFT)
        .dataAlign(HorizontalAlign.LEFT)
        .maxWidth(Integer.MAX_VALUE);
  }

  public static Column number(String header) {
    return new Column().header(header).dataAlign(HorizontalAlign.RIGHT);
  }
}
