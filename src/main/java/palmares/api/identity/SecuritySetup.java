package palmares.api.identity;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.web.server.Cookie;
import org.springframework.boot.web.server.Cookie.SameSite;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.servlet.Session;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer.FrameOptionsConfig;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.server.resource.authentication.OpaqueTokenAuthenticationProvider;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.logout.HttpStatusReturningLogoutSuccessHandler;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.header.writers.DelegatingRequestMatcherHeaderWriter;
import org.springframework.security.web.header.writers.frameoptions.XFrameOptionsHeaderWriter;
import org.springframework.security.web.header.writers.frameoptions.XFrameOptionsHeaderWriter.XFrameOptionsMode;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.session.DisableEncodeUrlFilter;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.session.web.http.CookieHttpSessionIdResolver;
import org.springframework.session.web.http.DefaultCookieSerializer;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import palmares.api.http.FormRequest;
import palmares.api.http.ProblemDetails;
import palmares.api.http.RequestPath;
import palmares.api.http.ServerLoad;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.threads.Loops;

/**
 * Sets up Spring Security: a filter chain for the management port, one for programs, which send an
 * API key with each request, a short one for their events, and one for people, who have sessions.
 * What an endpoint requires is decided by {@link EndpointRules}.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class SecuritySetup {
  private static final List<String> PROBES =
      List.of("/health", "/health/liveness", "/health/readiness");

  /** The path of the console. */
  static final String CONSOLE = "/console";

  /** The page on which people sign in. */
  static final String SIGN_IN_PAGE = CONSOLE + "/sign-in";

  /** Matches each spelling of the path that Spring MVC knows, such as {@code sign%2Din}. */
  private static final RequestMatcher SIGN_IN =
      PathPatternRequestMatcher.withDefaults().matcher(SIGN_IN_PAGE);

  private static final RequestMatcher AT_PROVIDER =
      PathPatternRequestMatcher.withDefaults().matcher("/oauth2/authorization/**");

  private static final RequestMatcher REGISTRATION =
      PathPatternRequestMatcher.withDefaults().matcher("/oauth2/authorization/{name}");

  /** The pages that other sites may show in a frame. */
  private static final String PUBLIC_PAGES = CONSOLE + "/public/";

  /**
   * What a page may load: nothing but files of this server; and where its forms lead. A page may
   * set another policy.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action %s; base-uri 'none'; frame-ancestors 'none'";

  /** What pages of allowed origins may read of an answer, besides its body. */
  private static final List<String> EXPOSED_HEADERS =
      List.of(
          HttpHeaders.ETAG,
          HttpHeaders.LINK,
          HttpHeaders.LOCATION,
          HttpHeaders.RETRY_AFTER,
          HttpHeaders.WWW_AUTHENTICATE,
          "Palmares-Status",
          "Palmares-Note",
          "Palmares-Next");

  private static final String EVENTS = "/api/v1/events";
  private static final String BEARER = "Bearer ";

  private final ApiKeyCheck keys;
  private final Loops loops;
  private final AccessRefusals refusals;
  private final SecuritySettings settings;
  private final RequestRates rates;
  private final Optional<LocalToken> localToken;

  SecuritySetup(
      ApiKeyCheck keys,
      Loops loops,
      AccessRefusals refusals,
      SecuritySettings settings,
      RequestRates rates,
      Optional<LocalToken> localToken) {
    this.keys = keys;
    this.loops = loops;
    this.refusals = refusals;
    this.settings = settings;
    this.rates = rates;
    this.localToken = localToken;
  }

  /**
   * Events sent by a program, under the usual spelling of their path, pass one filter: the ten of
   * {@link #programChain} would take a tenth of the time of an event. Both check the key alike.
   */
  @Bean
  @Order(0)
  SecurityFilterChain eventChain() {
    return new DefaultSecurityFilterChain(SecuritySetup::sendsEvents, this::signIn);
  }

  private static boolean sendsEvents(HttpServletRequest request) {
    return EVENTS.equals(RequestPath.of(request))
        && request.getHeader(HttpHeaders.AUTHORIZATION) != null
        && request.getHeader(HttpHeaders.ORIGIN) == null;
  }

  private void signIn(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    var http = (HttpServletRequest) request;
    String header = http.getHeader(HttpHeaders.AUTHORIZATION);
    if (header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      try {
        Authentication caller = check(header.substring(BEARER.length()), http);
        SecurityContextHolder.setContext(new SecurityContextImpl(caller));
      } catch (SignInFailed e) {
        refusals.commence(http, (HttpServletResponse) response, e);
        return;
      }
    }
    chain.doFilter(request, response);
  }

  @Bean
  @Order(1)
  SecurityFilterChain managementChain(HttpSecurity http) throws Exception {
    stateless(http);
    http.securityMatcher(EndpointRequest.toAnyEndpoint())
        .authorizeHttpRequests(
            requests -> {
              requests.requestMatchers(probes()).permitAll();
              if (settings.management() == SecuritySettings.Management.OPEN) {
                requests.requestMatchers(EndpointRequest.to("prometheus")).permitAll();
              }
              requests.anyRequest().hasAuthority(Caller.authority(Role.VIEWER));
            });
    return http.build();
  }

  /** Matches health as a whole and the two probes, of any path under which the endpoints are. */
  private static RequestMatcher probes() {
    var health = EndpointRequest.to("health");
    return request ->
        health.matches(request)
            && PROBES.stream().anyMatch(probe -> request.getRequestURI().endsWith(probe));
  }

  @Bean
  @Order(2)
  SecurityFilterChain programChain(HttpSecurity http) throws Exception {
    stateless(http);
    http.securityMatcher(request -> request.getHeader(HttpHeaders.AUTHORIZATION) != null)
        .servletApi(AbstractHttpConfigurer::disable)
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated());
    return http.build();
  }

  /** No filter that a request with an API key does not need. */
  private void stateless(HttpSecurity http) throws Exception {
    http.sessionManagement(
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .headers(AbstractHttpConfigurer::disable)
        .exceptionHandling(
            failures -> failures.authenticationEntryPoint(refusals).accessDeniedHandler(refusals))
        .oauth2ResourceServer(
            server ->
                server
                    .authenticationManagerResolver(request -> key -> authenticate(key, request))
                    .authenticationEntryPoint(refusals)
                    .accessDeniedHandler(refusals));
    cors(http);
  }

  /** Signs a program in by its key, as often as its address may try. */
  private Authentication authenticate(Authentication key, HttpServletRequest request) {
    return Objects.requireNonNull(
        new OpaqueTokenAuthenticationProvider(
                secret -> (Caller) Objects.requireNonNull(check(secret, request).getPrincipal()))
            .authenticate(key));
  }

  private Authentication check(String secret, HttpServletRequest request) {
    try {
      Optional<Caller> local = localToken.flatMap(token -> token.caller(secret, request));
      Authentication caller =
          local.isPresent()
              ? local.get().authentication()
              : keys.authenticate(secret, request.getRemoteAddr());
      ServerLoad.noteSignedIn();
      return caller;
    } catch (DataAccessException e) {
      loops.outages().noteRequest(e);
      throw new SignInFailed(Problem.DATABASE_UNAVAILABLE, new AccessSentences.KeyUnchecked());
    }
  }

  @Bean
  @Order(3)
  SecurityFilterChain personChain(
      HttpSecurity http,
      People people,
      Sessions sessions,
      OidcRoles oidcRoles,
      DataSource database,
      Clock clock,
      LimitSettings limits,
      ServerProperties server)
      throws Exception {
    Session session = server.getServlet().getSession();
    http.csrf(
            csrf ->
                csrf.csrfTokenRepository(csrfTokens(session.getCookie()))
                    .csrfTokenRequestHandler(new CsrfTokenRequestAttributeHandler())
                    .requireCsrfProtectionMatcher(SecuritySetup::needsCsrfToken))
        .headers(
            headers ->
                headers
                    .frameOptions(FrameOptionsConfig::disable)
                    .addHeaderWriter(
                        new DelegatingRequestMatcherHeaderWriter(
                            request -> !RequestPath.of(request).startsWith(PUBLIC_PAGES),
                            new XFrameOptionsHeaderWriter(XFrameOptionsMode.DENY)))
                    .contentSecurityPolicy(policy -> policy.policyDirectives(policy(sessions))))
        .requestCache(AbstractHttpConfigurer::disable)
        .formLogin(AbstractHttpConfigurer::disable)
        .logout(
            logout ->
                logout
                    .logoutUrl("/logout")
                    .logoutSuccessHandler(
                        new HttpStatusReturningLogoutSuccessHandler(HttpStatus.NO_CONTENT)))
        .exceptionHandling(
            failures -> failures.authenticationEntryPoint(refusals).accessDeniedHandler(refusals))
        .addFilterBefore(
            (request, response, chain) -> limitSignIns(request, response, chain, sessions),
            DisableEncodeUrlFilter.class)
        .addFilterBefore(sessions(database, clock, limits, session), DisableEncodeUrlFilter.class)
        .addFilterAfter(new SessionCheck(people, clock), SecurityContextHolderFilter.class)
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll());
    if (people.hasProvider()) {
      sessions.client().ifPresent(oidcRoles::requireIssuer);
      signInAtProvider(http, oidcRoles);
    }
    cors(http);
    return http.build();
  }

  private void signInAtProvider(HttpSecurity http, OidcRoles oidcRoles) throws Exception {
    var tokens = new ProviderCalls(ProviderCalls.TIMEOUT).tokens();
    http.oauth2Login(
        login ->
            login
                .tokenEndpoint(endpoint -> endpoint.accessTokenResponseClient(tokens))
                .loginPage(SIGN_IN_PAGE)
                .userInfoEndpoint(user -> user.oidcUserService(oidcRoles))
                .failureHandler(refusals::showSignIn)
                .defaultSuccessUrl(CONSOLE, true));
  }

  /** The form to sign out may lead to the provider. */
  private static String policy(Sessions sessions) {
    String here = "'self'";
    return POLICY.formatted(
        sessions.signOutOrigin().map(origin -> here + " " + origin).orElse(here));
  }

  /** Is not a filter of the whole server, so that programs do not pay for it. */
  private static Filter sessions(
      DataSource database, Clock clock, LimitSettings limits, Session session) {
    Duration timeout =
        Objects.requireNonNull(session.getTimeout(), "server.servlet.session.timeout is not set");
    var cookies = new CookieHttpSessionIdResolver();
    cookies.setCookieSerializer(cookies(session.getCookie()));
    var ids = new SessionIds(cookies, clock, limits.wrongSessionsPerAddress());
    return StoredSessions.filter(database, clock, timeout, ids);
  }

  /** Cookies as the session's is set up. */
  static DefaultCookieSerializer cookies(Cookie cookie) {
    var cookies = new DefaultCookieSerializer();
    PropertyMapper map = PropertyMapper.get();
    map.from(cookie::getName).to(cookies::setCookieName);
    map.from(cookie::getDomain).to(cookies::setDomainName);
    map.from(cookie::getPath).to(cookies::setCookiePath);
    map.from(cookie::getHttpOnly).to(cookies::setUseHttpOnlyCookie);
    map.from(cookie::getSecure).to(cookies::setUseSecureCookie);
    map.from(cookie::getSameSite).as(SameSite::attributeValue).to(cookies::setSameSite);
    return cookies;
  }

  /** The cookie of the token goes where the session's does, and no further; pages may read it. */
  static CsrfTokenRepository csrfTokens(Cookie session) {
    var tokens = CookieCsrfTokenRepository.withHttpOnlyFalse();
    SameSite sameSite = session.getSameSite();
    tokens.setCookieCustomizer(
        cookie ->
            cookie
                .secure(Boolean.TRUE.equals(session.getSecure()))
                .sameSite(sameSite == null ? null : sameSite.attributeValue()));
    return tokens;
  }

  /** Each attempt to sign in at the provider begins a session, which PostgreSQL stores. */
  private void limitSignIns(
      ServletRequest request, ServletResponse response, FilterChain chain, Sessions sessions)
      throws IOException, ServletException {
    if (AT_PROVIDER.matches((HttpServletRequest) request)) {
      rates.countSignIn(request.getRemoteAddr());
      String name = REGISTRATION.matcher((HttpServletRequest) request).getVariables().get("name");
      if (name != null && !sessions.isProvider(name)) {
        throw new Refusal(Problem.NOT_FOUND, new AccessSentences.NoProvider(name));
      }
    }
    chain.doFilter(request, response);
  }

  /**
   * Only a session can be misused by another site. Signing in with JSON needs no token, since
   * another site cannot send it without permission; signing in with a form does. A form that could
   * not be read has no token, and {@link EndpointRules} refuses it.
   */
  private static boolean needsCsrfToken(HttpServletRequest request) {
    return !Set.of("GET", "HEAD", "OPTIONS", "TRACE").contains(request.getMethod())
        && FormRequest.refusal(request).isEmpty()
        && (request.getSession(false) != null || SIGN_IN.matches(request));
  }

  private void cors(HttpSecurity http) throws Exception {
    http.cors(AbstractHttpConfigurer::disable);
    if (!settings.allowedOrigins().isEmpty()) {
      var filter = new CorsFilter(allowed());
      filter.setCorsProcessor(new CorsProblems());
      http.addFilter(filter);
    }
  }

  /** Answers a refused origin or method with a problem, as all else is answered. */
  private static final class CorsProblems extends DefaultCorsProcessor {
    @Override
    protected void rejectRequest(ServerHttpResponse response) throws IOException {
      ProblemDetails.write(
          new Refusal(Problem.FORBIDDEN, new AccessSentences.ForeignOrigin()),
          ((ServletServerHttpResponse) response).getServletResponse());
    }
  }

  /** Other sites may call the API with a key, not with a person's session. */
  private CorsConfigurationSource allowed() {
    var cors = new CorsConfiguration();
    cors.setAllowedOrigins(settings.allowedOrigins());
    cors.setAllowedMethods(List.of(HttpMethod.GET.name(), HttpMethod.POST.name()));
    cors.setAllowedHeaders(List.of(CorsConfiguration.ALL));
    cors.setExposedHeaders(EXPOSED_HEADERS);
    cors.setAllowCredentials(false);
    var source = new UrlBasedCorsConfigurationSource();
    source.registerCorsConfiguration("/api/**", cors);
    return source;
  }

  /** Observing each filter would cost more than the filters. */
  @Bean
  SecurityObservationSettings observations() {
    return SecurityObservationSettings.noObservations();
  }

  /** Member ids may contain any character, and rules do not depend on the path. */
  @Bean
  StrictHttpFirewall firewall() {
    var firewall = new StrictHttpFirewall();
    firewall.setUnsafeAllowAnyHttpMethod(true);
    firewall.setAllowUrlEncodedSlash(true);
    firewall.setAllowUrlEncodedDoubleSlash(true);
    firewall.setAllowUrlEncodedPercent(true);
    firewall.setAllowUrlEncodedPeriod(true);
    firewall.setAllowUrlEncodedCarriageReturn(true);
    firewall.setAllowUrlEncodedLineFeed(true);
    firewall.setAllowUrlEncodedParagraphSeparator(true);
    firewall.setAllowUrlEncodedLineSeparator(true);
    firewall.setAllowBackSlash(true);
    firewall.setAllowSemicolon(true);
    firewall.setAllowedHeaderNames(name -> true);
    firewall.setAllowedHeaderValues(value -> true);
    firewall.setAllowedParameterNames(name -> true);
    firewall.setAllowedParameterValues(value -> true);
    return firewall;
  }
}
