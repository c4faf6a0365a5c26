package io.frameloom.rdg;

/** Writes what it is told to the platform's log. */
final class LoggingListener implements RdgListener {
    private final System.Logger log = System.getLogger("io.frameloom.rdg");

    @Override
    public void reached(Breakpoint moment, String graph, String subject) {
        log.log(System.Logger.Level.WARNING, "breakpoint {0}: graph ''{1}'', ''{2}''", moment, graph, subject);
    }

    @Override
    public void transition(String graph, String line) {
        log.log(System.Logger.Level.INFO, "graph ''{0}'': {1}", graph, line);
    }
}
