package palmares.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import palmares.api.http.InputSentences;
import palmares.api.http.UnknownSentences;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.UserError;
import palmares.platform.time.DayOrTime;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;

/** Checks and reads arguments of commands. */
final class Arguments {
  private Arguments() {}

  /**
   * Finds a board that has a file.
   *
   * @throws UserError if there is none of that name
   */
  static Board inForce(Catalogue boards, String word) {
    return BoardId.parse(word)
        .flatMap(boards::find)
        .orElseThrow(
            () -> {
              var known = boards.all().stream().map(board -> board.id().value()).toList();
              return UserError.badInput(UnknownSentences.Board.of(word, known));
            });
  }

  /**
   * Checks a number, if there is one.
   *
   * @throws UserError if it is less than the minimum
   */
  static void atLeast(int minimum, String option, @Nullable Integer number) {
    if (number != null && number < minimum) {
      throw UserError.badUsage(new InputSentences.TooSmall(option, minimum, number));
    }
  }

  /**
   * Parses a day, which means its beginning in UTC, or a time with its offset.
   *
   * @return null if the text is null
   * @throws UserError if it is neither a day nor a time, or out of range
   */
  static @Nullable Instant time(String option, @Nullable String text) {
    return text == null
        ? null
        : DayOrTime.parse(text, ZoneOffset.UTC)
            .orElseThrow(() -> UserError.badUsage(new InputSentences.NotATime(option, text)));
  }

  /**
   * Reads a file.
   *
   * @throws UserError if it cannot be read
   */
  static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw UserError.badInput(new CommandSentences.NotUtf8(file.toString()));
    } catch (NoSuchFileException e) {
      throw UserError.badInput(new CommandSentences.NoFile(file.toString()));
    } catch (IOException e) {
      throw UserError.badInput(
          new CommandSentences.Unreadable(file.toString(), String.valueOf(e.getMessage())));
    }
  }
}
