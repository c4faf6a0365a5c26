package io.frameloom.samples.bindless;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.samples.picture.PictureCommand;
import io.frameloom.taskgraph.TaskGraph;
import picocli.CommandLine.Command;

/** {@code frameloom sample bindless}: a thousand textures in one indirect draw. */
@Command(
        name = "bindless",
        mixinStandardHelpOptions = true,
        description = {
            "Puts 1,000 textures into a bindless table and draws 1,000 quads in one indirect draw. Each finds its texture"
                    + " by a number.",
            "It needs a Vulkan device with descriptor indexing."
        })
public final class BindlessCommand extends PictureCommand {
    /** Draws nothing yet. */
    public BindlessCommand() {
        super(Capability.DESCRIPTOR_INDEXING);
    }

    @Override
    protected Drawn draw(GpuDevice gpu, TaskGraph tasks) {
        try (BindlessPicture picture = new BindlessPicture(gpu, tasks)) {
            return new Drawn(picture.draw(), BindlessPicture.QUADS + " textures in one draw");
        }
    }
}
