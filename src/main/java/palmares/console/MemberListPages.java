package palmares.console;

import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.period.exclusion.KnownMembers;

/** Finds members, and shows the excluded ones and the lists of them. */
@Console
class MemberListPages {
  private static final int FOUND = 100;

  private final Api api;
  private final KnownMembers knownMembers;

  MemberListPages(Api api, KnownMembers knownMembers) {
    this.api = api;
    this.knownMembers = knownMembers;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/members")
  String members(@RequestParam(required = false) @Nullable String after, Model model) {
    model.addAttribute(
        "exclusions", Rows.of(api.exclusions().list(null, false, new PageRequest(FOUND, after))));
    model.addAttribute("lists", Rows.of(api.exclusions().lists()));
    return "members";
  }

  /** Shows the entries of a named list of excluded members. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/lists/{list}")
  String list(
      @PathVariable String list,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    Rows entries = Rows.of(api.exclusions().entries(list, new PageRequest(FOUND, after)));
    model.addAttribute("list", list);
    model.addAttribute("entries", entries);
    return "list";
  }

  /**
   * Leads to the only member that a text may name, or lists them.
   *
   * @param found the cursor of the members found
   * @param after the cursor of the excluded members
   */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/find")
  String find(
      @RequestParam(defaultValue = "") String member,
      @RequestParam(required = false) @Nullable String found,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    String text = member.strip();
    if (text.isEmpty()) {
      return "redirect:" + Console.PATH + "/members";
    }
    Rows rows = Rows.of(api.history().members(text, new PageRequest(FOUND, found)));
    boolean isId = false;
    if (found == null) {
      if (rows.isEmpty()) {
        return page(text);
      }
      isId = rows.where("member", text).isEmpty() && knownMembers.knows(MemberPages.id(text));
      if (rows.size() == 1 && !isId) {
        return page(String.valueOf(rows.first().get("member")));
      }
    }
    model.addAttribute("text", text);
    model.addAttribute("found", rows);
    model.addAttribute("isId", isId);
    return members(after, model);
  }

  private static String page(String member) {
    return "redirect:"
        + UriComponentsBuilder.fromPath(Console.PATH + "/members/{member}")
            .encode()
            .buildAndExpand(member)
            .toUriString();
  }
}
