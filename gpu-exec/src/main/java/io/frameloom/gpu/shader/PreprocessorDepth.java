package io.frameloom.gpu.shader;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Bounds from above how deep the compiler's preprocessor recurses: into the expressions of directives, with the macros in
 * them expanded, and from one {@code #elif} to the next. A macro may be what any definition of its name makes of it, since
 * it is not known which branches are taken. One thread.
 */
final class PreprocessorDepth {
    /** Most prefix operators and opening brackets of an expression; more than 200,000 were seen to be evaluated. */
    static final int MOST = GlslDepth.MOST;
    /** Most tokens that are looked at for one expression. */
    private static final int MOST_STEPS = 1_000_000;

    /** Most macros and arguments within each other. */
    private static final int MOST_NESTED = 1_000;

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*|[0-9][A-Za-z_0-9.]*|##|[^ \\t]");
    /** In place of what follows the most tokens of a directive that are kept. */
    private static final String MORE = "\n";

    private static final int MOST_TOKENS = 5 * MOST;
    /** Between the name of a macro and a bracket that is not of its parameters. */
    private static final String APART = " ";

    private static final String PREFIXES = "(-+!~";
    private static final String TOO_DEEP = "more than " + MOST
            + " operators or brackets follow each other or are nested here, which would exhaust the compiler's stack; split"
            + " the expression";

    private final Map<String, List<Macro>> macros = new HashMap<>();
    private final List<Expression> expressions = new ArrayList<>();
    private final Set<String> active = new HashSet<>();
    private int alternatives;
    private int steps;
    private int nested;

    /** A definition of a macro; {@code parameters} is null if it has no brackets. */
    private record Macro(@Nullable List<String> parameters, List<String> body) {}

    /** An expression that is evaluated, and where it stands. */
    private record Expression(String file, int line, List<String> tokens) {}

    /** Adds a text with line feeds; see {@link GlslText#plain} for the rest. */
    void add(String file, String text, boolean continuesComments) {
        if (text.indexOf('#') < 0) {
            return;
        }
        int line = 0;
        for (String content : GlslText.plain(text, continuesComments).split("\n", -1)) {
            line++;
            String directive = content.strip();
            if (directive.startsWith("#") && alternatives <= MOST) {
                add(file, line, tokens(directive));
            }
        }
    }

    /** Adds a macro from outside of all texts. */
    void define(String name, String value) {
        define(name, new Macro(null, tokens(value)));
    }

    private void define(String name, Macro macro) {
        macros.computeIfAbsent(name, key -> new ArrayList<>()).add(macro);
    }

    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        Matcher token = TOKEN.matcher(text);
        int end = -1;
        while (token.find()) {
            if (tokens.size() == MOST_TOKENS) {
                tokens.add(MORE);
                break;
            }
            // A bracket makes parameters only if it follows the name at once.
            boolean apart = token.group().equals("(") && token.start() != end && tokens.size() == 3;
            if (apart && tokens.get(1).equals("define")) {
                tokens.add(APART);
            }
            tokens.add(token.group());
            end = token.end();
        }
        return tokens;
    }

    private void add(String file, int line, List<String> tokens) {
        int at = 0;
        // What is left out may have several of them, and is looked through for the next branch all the same.
        while (at < tokens.size() && tokens.get(at).startsWith("#")) {
            at++;
        }
        List<String> rest = tokens.subList(Math.min(tokens.size(), at + 1), tokens.size());
        switch (at < tokens.size() ? tokens.get(at) : "") {
            case "define" -> define(rest);
            case "if", "line" -> expressions.add(new Expression(file, line, rest));
            case "elif" -> {
                expressions.add(new Expression(file, line, rest));
                alternatives++;
            }
            default -> {}
        }
    }

    private void define(List<String> tokens) {
        if (tokens.isEmpty()) {
            return;
        }
        boolean calls = tokens.size() > 1 && tokens.get(1).equals("(");
        int close = calls ? tokens.indexOf(")") : 0;
        if (close < 0) {
            return;
        }
        List<String> parameters = calls
                ? tokens.subList(2, close).stream()
                        .filter(token -> !token.equals(","))
                        .toList()
                : null;
        define(tokens.get(0), new Macro(parameters, tokens.subList(close + 1, tokens.size())));
    }

    /** Returns what is too deep, as the compiler would say it: file, line and reason; null if nothing is. */
    @Nullable
    String excess() {
        for (Expression expression : expressions) {
            steps = 0;
            if (alternatives > MOST) {
                return excess(
                        expression,
                        "there are more than " + MOST
                                + " #elif, which would exhaust the compiler's stack if they followed each other; use fewer");
            }
            if (weight(expression.tokens, Map.of()) > MOST) {
                return excess(expression, TOO_DEEP);
            }
        }
        return null;
    }

    private static String excess(Expression at, String reason) {
        return at.file + ":" + at.line + ": error: " + reason;
    }

    /** Returns how many prefix operators and brackets there are when macros are expanded, or more than is allowed. */
    private long weight(List<String> tokens, Map<String, Long> arguments) {
        long weight = 0;
        nested++;
        for (int i = 0; i < tokens.size() && weight <= MOST; i++) {
            steps++;
            weight += exhausted() ? MOST + 1L : 0;
            String token = tokens.get(i);
            boolean called = i + 1 < tokens.size() && tokens.get(i + 1).equals("(");
            if (i + 2 < tokens.size() && tokens.get(i + 1).equals("##")) {
                weight += ofPasted(token, tokens.get(i + 2), arguments) + arguments.getOrDefault(token, 0L);
                i++;
            } else if (called && isCall(token)) {
                int close = closing(tokens, i + 1);
                weight += ofMacro(token, tokens.subList(i + 2, close), arguments);
                i = close;
            } else if (arguments.containsKey(token) || macros.containsKey(token)) {
                // Without brackets of its own it may become the name of a macro that has them.
                weight += arguments.containsKey(token) ? arguments.get(token) : ofMacro(token, List.of(), arguments);
                weight += called ? ofAnyCall(tokens.subList(i + 2, closing(tokens, i + 1)), arguments) : 0;
            } else if (token.equals(MORE)) {
                weight += MOST + 1L;
            } else if (PREFIXES.contains(token)) {
                weight++;
            }
        }
        nested--;
        return Math.min(weight, MOST + 1L);
    }

    private boolean exhausted() {
        return steps > MOST_STEPS || nested > MOST_NESTED;
    }

    private boolean isCall(String name) {
        return macros.getOrDefault(name, List.of()).stream().anyMatch(macro -> macro.parameters != null);
    }

    /** Returns where a bracket is closed, or the end. */
    private int closing(List<String> tokens, int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            steps++;
            depth += tokens.get(i).equals("(") ? 1 : tokens.get(i).equals(")") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return tokens.size();
    }

    private long ofMacro(String name, List<String> call, Map<String, Long> arguments) {
        List<Long> weights = new ArrayList<>();
        int from = 0;
        int depth = 0;
        for (int i = 0; i <= call.size() && !exhausted(); i++) {
            String token = i < call.size() ? call.get(i) : ",";
            depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
            if (i == call.size() || (depth == 0 && token.equals(","))) {
                weights.add(weight(call.subList(from, i), arguments));
                from = i + 1;
            }
        }
        if (!active.add(name)) {
            // A macro is not expanded within itself.
            return weights.stream().mapToLong(Long::longValue).sum();
        }
        long most = 0;
        for (Macro macro : macros.getOrDefault(name, List.of())) {
            Map<String, Long> values = new HashMap<>();
            List<String> parameters = macro.parameters == null ? List.of() : macro.parameters;
            for (int i = 0; i < parameters.size(); i++) {
                values.put(parameters.get(i), i < weights.size() ? weights.get(i) : 0L);
            }
            most = Math.max(most, weight(macro.body, values));
        }
        active.remove(name);
        return most;
    }

    private long ofAnyCall(List<String> call, Map<String, Long> arguments) {
        long most = 0;
        for (String name : macros.keySet()) {
            steps++;
            most = !exhausted() && isCall(name) ? Math.max(most, ofMacro(name, call, arguments)) : most;
        }
        return most;
    }

    /** Returns the most that a name is worth which two tokens make, of which parameters may be anything. */
    private long ofPasted(String left, String right, Map<String, Long> arguments) {
        long most = 0;
        for (String name : macros.keySet()) {
            steps++;
            boolean may = (arguments.containsKey(left) || name.startsWith(left))
                    && (arguments.containsKey(right) || name.endsWith(right));
            most = may && !exhausted() ? Math.max(most, ofMacro(name, List.of(), Map.of())) : most;
        }
        return most;
    }
}
