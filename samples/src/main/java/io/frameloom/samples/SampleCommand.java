package io.frameloom.samples;

import io.frameloom.samples.adopt.AdoptCommand;
import io.frameloom.samples.bindless.BindlessCommand;
import io.frameloom.samples.clip.ClipCommand;
import io.frameloom.samples.pathtrace.PathTraceCommand;
import io.frameloom.samples.picture.HiddenCommand;
import io.frameloom.samples.picture.TilesCommand;
import io.frameloom.samples.window.WindowCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code frameloom sample}: small programs that show one thing each. */
@Command(
        name = "sample",
        mixinStandardHelpOptions = true,
        version = "frameloom 0.1.0-SNAPSHOT",
        subcommands = {
            AdoptCommand.class,
            BindlessCommand.class,
            ClipCommand.class,
            HiddenCommand.class,
            PathTraceCommand.class,
            TilesCommand.class,
            WindowCommand.class
        },
        description = "Small programs that show one thing each.")
public final class SampleCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "no sample given; there are: adopt, bindless, clip, hidden, pathtrace, tiles, window");
    }
}
