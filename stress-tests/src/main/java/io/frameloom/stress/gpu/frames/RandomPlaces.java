package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.PassKind;
import io.frameloom.stress.gpu.frames.GraphShape.Box;
import io.frameloom.stress.gpu.frames.GraphShape.Place;
import io.frameloom.stress.gpu.frames.GraphShape.Resource;
import io.frameloom.stress.gpu.frames.GraphShape.Texels;
import io.frameloom.stress.gpu.frames.GraphShape.Work;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Decides on which queues passes run: half of them name one that can, the others are tagged or not. One thread. */
final class RandomPlaces {
    private final SplittableRandom random;
    private final DeviceTraits traits;

    RandomPlaces(SplittableRandom random, DeviceTraits traits) {
        this.random = random;
        this.traits = traits;
    }

    Place of(Work work, List<Resource> resources) {
        PassKind kind = work.kind();
        boolean copyQueues = traits.partsOnCopyQueues() || !isOfParts(work, resources);
        if (random.nextBoolean()) {
            int[] able = IntStream.range(0, traits.queues().size())
                    .filter(queue -> can(traits.queues().get(queue), kind, copyQueues))
                    .toArray();
            return new Place(able[random.nextInt(able.length)], false, false);
        }
        boolean compute = kind != PassKind.RASTER && random.nextBoolean();
        boolean copy = kind == PassKind.COPY && copyQueues && random.nextBoolean();
        return new Place(-1, compute, copy);
    }

    private static boolean can(QueueKind queue, PassKind kind, boolean copyQueues) {
        return queue.supports(kind.queue()) && (copyQueues || queue != QueueKind.COPY);
    }

    private static boolean isOfParts(Work work, List<Resource> resources) {
        if (work instanceof GraphShape.Upload upload) {
            return isPart(upload.target(), resources);
        }
        if (work instanceof GraphShape.Download download) {
            return isPart(download.source(), resources);
        }
        return work instanceof GraphShape.CopyTexels copy
                && (isPart(copy.source(), resources) || isPart(copy.target(), resources));
    }

    private static boolean isPart(Box box, List<Resource> resources) {
        return !box.isWhole((Texels) resources.get(box.resource()));
    }
}
