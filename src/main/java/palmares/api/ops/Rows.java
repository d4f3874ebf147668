package palmares.api.ops;

import java.util.List;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;

/**
 * A list of rows of one kind. In JSON it is an array of them; the components of a row are the
 * columns of the other formats.
 *
 * @param <R> the row, whose names and Javadoc the OpenAPI document has
 */
@FunctionalInterface
public interface Rows<R> extends Listing {
  @Override
  default Rows<R> with(Status status) {
    return Listing.super.with(status)::in;
  }

  @Override
  default Rows<R> noted(List<? extends Sentence> notes) {
    return Listing.super.noted(notes)::in;
  }

  @Override
  default Rows<R> then(List<Next> steps) {
    return Listing.super.then(steps)::in;
  }
}
