package io.frameloom.samples.demo;

import io.frameloom.samples.Main;
import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * One run of the program in this JVM.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
record ProgramRun(int code, String out, String err) {
    static ProgramRun of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new ProgramRun(code, out.toString(), err.toString());
    }
}
